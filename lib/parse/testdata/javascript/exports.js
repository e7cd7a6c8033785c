function branch() {}
const always = 1;

export { branch as if, always as true };
