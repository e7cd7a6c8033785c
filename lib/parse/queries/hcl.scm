; hcl
