/** Facts of a key press, all of which the browser's event has. */
interface Press {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly isComposing: boolean
  readonly keyCode: number
}

/** Input methods end with Enter too; Safari sends that press after composing, marked with this code. */
const composingKeyCode = 229

/** Recognises the press that sends the message: Enter alone. With Shift it is a new line, while composing it chooses a word. */
export function isSendKey({ key, shiftKey, altKey, isComposing, keyCode }: Press): boolean {
  return key === 'Enter' && !shiftKey && !altKey && !isComposing && keyCode !== composingKeyCode
}
