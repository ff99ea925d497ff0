// A module has one of two ways to read a string, chosen when it is made: inpututf8.js or
// inputlatin1.js. Here, where no module is made, it is the first.

export { Input, acceptsString } from './inpututf8.js';
