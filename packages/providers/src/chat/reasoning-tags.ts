/** A piece of a response that wraps its thoughts in tags: one of what the model thought, or of what it says. */
export interface TaggedText {
  readonly isReasoning: boolean
  readonly text: string
}

/** How far the text has been read. */
export interface ReasoningTagState {
  /** What ends the open thought; empty outside of one. */
  closing: string
  /** The end of what came, while it may be the beginning of a tag. */
  held: string
  /** Blanks behind a tag are no part of what it begins or ends. */
  skipsBlank: boolean
  /** A tag that comes now would open a thought. */
  seeks: boolean
  /** Only a response that begins with a tag has thoughts: behind its first words one is a quotation. */
  readonly firstOnly: boolean
}

/** The state before any text has come. */
export function newReasoningTagState({ firstOnly }: Pick<ReasoningTagState, 'firstOnly'>): ReasoningTagState {
  return { closing: '', held: '', skipsBlank: firstOnly, seeks: true, firstOnly }
}

/**
 * Raw models think inside `<think>`; Dify shows thoughts folded, in `<details>` with a summary that says so. A folded text
 * of the response's own has another summary and stays.
 */
const opening = /<think>|<details[^<>]*>\s*<summary>[^<>]*think[^<>]*<\/summary>/i
const closings = { think: '</think>', details: '</details>' } as const
/** A folded text whose summary has not come within so many characters is no thought. */
const longestOpening = 300

/** What more of the text says, in order; what may be a tag waits for the rest of it. */
export function readTagged(state: ReasoningTagState, more: string): readonly TaggedText[] {
  const said: TaggedText[] = []
  state.held += more
  while (state.held !== '' && step(state, said));
  return said
}

/** The text has ended: what was held is what it is. */
export function endTagged(state: ReasoningTagState): readonly TaggedText[] {
  const said: TaggedText[] = []
  push(state, said, state.held)
  state.held = ''
  return said
}

/** One move; false when more has to come. */
function step(state: ReasoningTagState, said: TaggedText[]): boolean {
  return state.closing === '' ? stepResponse(state, said) : stepReasoning(state, said)
}

function stepResponse(state: ReasoningTagState, said: TaggedText[]): boolean {
  const { held } = state
  const tag = state.seeks ? opening.exec(held) : null
  const start = tag?.index ?? (state.seeks ? openingAtEnd(held) : held.length)
  if (state.firstOnly && held.slice(0, start).trim() !== '') {
    state.seeks = false
    keepFrom(state, said, held.length)
    return false
  }
  keepFrom(state, said, start)
  if (tag === null) return false
  state.closing = tag[0].toLowerCase().startsWith('<think') ? closings.think : closings.details
  state.held = state.held.slice(tag[0].length)
  state.skipsBlank = true
  return true
}

function stepReasoning(state: ReasoningTagState, said: TaggedText[]): boolean {
  const { held, closing } = state
  const end = held.indexOf(closing)
  if (end < 0) {
    keepFrom(state, said, held.length - openEnd(held, closing))
    return false
  }
  push(state, said, held.slice(0, end))
  state.closing = ''
  state.skipsBlank = true
  state.held = held.slice(end + closing.length)
  return true
}

/** Where at the end of a text an opening tag may begin that is not all there; its length for none. */
function openingAtEnd(text: string): number {
  const lower = text.toLowerCase()
  const folded = lower.lastIndexOf('<details')
  const isOpen =
    folded >= 0 && lower.length - folded < longestOpening && !lower.includes('</summary>', folded)
  if (isOpen) return folded
  return text.length - Math.max(openEnd(lower, '<think>'), openEnd(lower, '<details'))
}

/** How many characters at the end of a text begin the tag. */
function openEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length
  return 0
}

function keepFrom(state: ReasoningTagState, said: TaggedText[], place: number): void {
  push(state, said, state.held.slice(0, place))
  state.held = state.held.slice(place)
}

function push(state: ReasoningTagState, said: TaggedText[], text: string): void {
  const shown = state.skipsBlank ? text.trimStart() : text
  if (shown === '') return
  state.skipsBlank = false
  said.push({ isReasoning: state.closing !== '', text: shown })
}
