print("packs a folder into a .docx file")
