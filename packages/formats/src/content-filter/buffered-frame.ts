import type { ScannedFrame } from '../framing/frame.ts'
import type { MutableObject, TextSlot } from './text-slots.ts'

/** A frame that is not yet known to hold no word. */
export interface BufferedFrame {
  readonly frame: ScannedFrame
  /** `undefined` for what says nothing: comments, end marks. */
  readonly event: MutableObject | undefined
  /** The texts that it adds to. */
  readonly slots: readonly TextSlot[]
  isChanged: boolean
  /** Says a word whole, where words end the answer. */
  readonly holdsWord?: boolean
}
