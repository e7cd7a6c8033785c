; dockerfile
