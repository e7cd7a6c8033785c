; xml
