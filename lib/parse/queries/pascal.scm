; pascal
