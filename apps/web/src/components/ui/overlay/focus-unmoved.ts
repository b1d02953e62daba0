/**
 * Returns whether a sheet that has just opened has the focus where it was, or gave it to what is there while nothing is loaded: nowhere, on
 * its panel or on the button that closes it. A person who has moved it keeps it.
 */
export function isFocusUnmoved(): boolean {
  const active = document.activeElement
  return active === document.body || active?.matches('[role="dialog"], [role="dialog"] header *') === true
}
