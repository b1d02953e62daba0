/** Names of models and hosts, whose spelling is theirs: digits, dots, slashes or dashes within the first word. */
const beginsWithName = /^\S*[\d/_.-]\S/

/** A part of a sentence as the beginning of one. */
export function capitalizeSentence(text: string): string {
  return beginsWithName.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1)
}
