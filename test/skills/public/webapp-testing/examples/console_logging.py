print("captures console logs")
