import type { ScannedFrame } from '../framing/frame.ts'
import type { WordFilter } from './filter-body.ts'
import { type MutableObject, slotText, type TextSlot } from './text-slots.ts'
import { wordMask } from './word-automaton.ts'

/** A frame that may still hold a word. */
export interface BufferedFrame {
  readonly frame: ScannedFrame
  /** `undefined` for what says nothing: comments, end marks. */
  readonly event: MutableObject | undefined
  /** The texts that it adds to. */
  readonly slots: readonly TextSlot[]
  isChanged: boolean
  /** A complete text of the event holds a word; set only where words end the response. */
  readonly holdsWord?: boolean
}

/** Frames that wait at most; no word goes over so many. */
const maxBuffered = 1024

/** The end of a text that may be the beginning of a word, by the slots it is in. */
interface OpenText {
  readonly kind: string
  state: number
  /** Pieces in which it lies, in order. */
  pieces: OpenPiece[]
}

interface OpenPiece {
  readonly frame: BufferedFrame
  readonly slot: TextSlot
}

/** Looks for words that go over many frames. Frames leave in their order, as soon as they are known to be clean. */
export class WordMatcher {
  readonly #filter: WordFilter
  #frames: BufferedFrame[] = []
  /** Open texts by candidate: each says one text at a time. */
  readonly #open = new Map<number, OpenText>()
  /** A word was found and ends the response; the text after it is dropped. */
  isStopped = false

  constructor(filter: WordFilter) {
    this.#filter = filter
  }

  take(frame: BufferedFrame): void {
    if (frame.holdsWord === true) {
      this.isStopped = true
      this.#open.clear()
      return
    }
    this.#frames.push(frame)
    for (const [position, slot] of frame.slots.entries()) {
      this.#read(frame, slot)
      if (!this.isStopped) continue
      for (const later of frame.slots.slice(position + 1)) later.holder[later.key] = ''
      return
    }
    if (this.#frames.length > maxBuffered) this.#open.clear()
  }

  /** Frames that may go. */
  release(): readonly BufferedFrame[] {
    const waiting = this.#firstOpen()
    const released = this.#frames.slice(0, waiting)
    this.#frames = waiting === this.#frames.length ? [] : this.#frames.slice(waiting)
    return released
  }

  releaseAll(): readonly BufferedFrame[] {
    this.#open.clear()
    return this.release()
  }

  /** Number of the first frame that a word may begin in. */
  #firstOpen(): number {
    let first = this.#frames.length
    for (const { pieces } of this.#open.values()) {
      const [piece] = pieces
      if (piece !== undefined) first = Math.min(first, this.#frames.indexOf(piece.frame))
    }
    return Math.max(0, first)
  }

  #read(frame: BufferedFrame, slot: TextSlot): void {
    const open = this.#openText(slot)
    const text = slotText(slot)
    const { automaton, stop } = this.#filter
    let retained = 0
    let read = ''
    for (let at = 0; at < text.length; at += 1) {
      open.state = automaton.next(open.state, text.charCodeAt(at))
      const length = automaton.matchedUnits(open.state)
      if (length === 0) continue
      const own = Math.min(length, at + 1 - retained)
      read += text.slice(retained, at + 1 - own)
      this.#cutBack(open, length - own, stop)
      if (stop) {
        this.#stopAt(frame, slot, read)
        return
      }
      read += wordMask
      retained = at + 1
      open.state = 0
      open.pieces = []
    }
    if (retained > 0) change(frame, slot, read + text.slice(retained))
    this.#keep(open, { frame, slot }, text.length - retained)
  }

  #openText({ candidate, kind }: TextSlot): OpenText {
    const known = this.#open.get(candidate)
    if (known?.kind === kind) return known
    const made: OpenText = { kind, state: 0, pieces: [] }
    this.#open.set(candidate, made)
    return made
  }

  /** Takes the word's beginning out of the frames before. */
  #cutBack(open: OpenText, units: number, stop: boolean): void {
    let left = units
    for (let at = open.pieces.length - 1; at >= 0 && left > 0; at -= 1) {
      const piece = open.pieces[at]
      if (piece === undefined) return
      const text = slotText(piece.slot)
      const cut = Math.min(left, text.length)
      change(piece.frame, piece.slot, text.slice(0, text.length - cut))
      left -= cut
      // No text follows the place where the response ends.
      if (stop) this.#dropBehind(piece.frame)
    }
  }

  #dropBehind(frame: BufferedFrame): void {
    const at = this.#frames.indexOf(frame)
    if (at >= 0) this.#frames.length = at + 1
  }

  #stopAt(frame: BufferedFrame, slot: TextSlot, before: string): void {
    this.isStopped = true
    this.#open.clear()
    change(frame, slot, before)
  }

  /** Keeps the pieces in which the open beginning lies. */
  #keep(open: OpenText, piece: OpenPiece, length: number): void {
    let missing = this.#filter.automaton.pendingUnits(open.state)
    if (missing === 0) {
      open.pieces = []
      return
    }
    missing -= length
    let first = open.pieces.length
    while (missing > 0 && first > 0) {
      first -= 1
      missing -= slotText(open.pieces[first]?.slot ?? piece.slot).length
    }
    open.pieces = [...open.pieces.slice(first), piece]
  }
}

function change(frame: BufferedFrame, slot: TextSlot, text: string): void {
  frame.isChanged = true
  slot.holder[slot.key] = text
}
