class Good:
    def fine(self):
        return 1

def broken(:
    pass

def after():
    """Still found."""
    return 2
