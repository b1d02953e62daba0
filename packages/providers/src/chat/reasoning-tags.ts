/** A piece of a response that wraps its reasoning in tags: a piece of reasoning, or of text. */
export interface TaggedText {
  readonly isReasoning: boolean
  readonly text: string
}

/** State of reading: the tag that must close, and text that may begin one. */
export interface ReasoningTagState {
  /** The tag that ends the open reasoning; empty outside of it. */
  closing: string
  /** The end of the text so far, while it may be the beginning of a tag. */
  held: string
  /** Skips blanks after a tag: they belong neither to the reasoning nor to the text. */
  skipsBlank: boolean
  /** A tag at this place opens reasoning. */
  seeks: boolean
  /** Only a response that begins with a tag has reasoning: a tag after its first words is a quotation. */
  readonly firstOnly: boolean
}

/** The state before any text has come. */
export function newReasoningTagState({ firstOnly }: Pick<ReasoningTagState, 'firstOnly'>): ReasoningTagState {
  return { closing: '', held: '', skipsBlank: firstOnly, seeks: true, firstOnly }
}

/**
 * Raw models reason inside `<think>`; Dify folds reasoning into `<details>` with a summary that says so. A folded text of
 * the response itself has another summary and stays.
 */
const opening = /<think>|<details[^<>]*>\s*<summary>[^<>]*think[^<>]*<\/summary>/i
const closings = { think: '</think>', details: '</details>' } as const
/** A folded text without a summary in this many characters is not reasoning. */
const maxOpening = 300

/** The pieces of further text, in order; a possible beginning of a tag waits for the rest. */
export function readTagged(state: ReasoningTagState, more: string): readonly TaggedText[] {
  const stated: TaggedText[] = []
  state.held += more
  while (state.held !== '' && step(state, stated));
  return stated
}

/** Ends the text: returns the held part as it is. */
export function endTagged(state: ReasoningTagState): readonly TaggedText[] {
  const stated: TaggedText[] = []
  push(state, stated, state.held)
  state.held = ''
  return stated
}

/** One move; false when more has to come. */
function step(state: ReasoningTagState, stated: TaggedText[]): boolean {
  return state.closing === '' ? stepResponse(state, stated) : stepReasoning(state, stated)
}

function stepResponse(state: ReasoningTagState, stated: TaggedText[]): boolean {
  const { held } = state
  const tag = state.seeks ? opening.exec(held) : null
  const start = tag?.index ?? (state.seeks ? openingAtEnd(held) : held.length)
  if (state.firstOnly && held.slice(0, start).trim() !== '') {
    state.seeks = false
    keepFrom(state, stated, held.length)
    return false
  }
  keepFrom(state, stated, start)
  if (tag === null) return false
  state.closing = tag[0].toLowerCase().startsWith('<think') ? closings.think : closings.details
  state.held = state.held.slice(tag[0].length)
  state.skipsBlank = true
  return true
}

function stepReasoning(state: ReasoningTagState, stated: TaggedText[]): boolean {
  const { held, closing } = state
  const end = held.indexOf(closing)
  if (end < 0) {
    keepFrom(state, stated, held.length - openEnd(held, closing))
    return false
  }
  push(state, stated, held.slice(0, end))
  state.closing = ''
  state.skipsBlank = true
  state.held = held.slice(end + closing.length)
  return true
}

/** Finds the offset at which an incomplete opening tag may begin at the end of a text; the text's length for none. */
function openingAtEnd(text: string): number {
  const lower = text.toLowerCase()
  const folded = lower.lastIndexOf('<details')
  const isOpen = folded >= 0 && lower.length - folded < maxOpening && !lower.includes('</summary>', folded)
  if (isOpen) return folded
  return text.length - Math.max(openEnd(lower, '<think>'), openEnd(lower, '<details'))
}

/** Counts the characters at the end of a text that begin the tag. */
function openEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length
  return 0
}

function keepFrom(state: ReasoningTagState, stated: TaggedText[], position: number): void {
  push(state, stated, state.held.slice(0, position))
  state.held = state.held.slice(position)
}

function push(state: ReasoningTagState, stated: TaggedText[], text: string): void {
  const visible = state.skipsBlank ? text.trimStart() : text
  if (visible === '') return
  state.skipsBlank = false
  stated.push({ isReasoning: state.closing !== '', text: visible })
}
