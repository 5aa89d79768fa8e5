import json
import sys

from pypdf import PdfReader, PdfWriter

reader = PdfReader(sys.argv[1])
writer = PdfWriter(clone_from=reader)
writer.update_page_form_field_values(writer.pages[0], json.load(open(sys.argv[2])))
writer.write(sys.argv[3])
