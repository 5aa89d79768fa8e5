print("makes a folder with a template")
