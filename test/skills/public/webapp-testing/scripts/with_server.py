import subprocess

print("starts a server, waits for its port, runs a command")
