; css
