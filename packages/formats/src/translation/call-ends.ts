import type { CallRules } from '../canonical/codec.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { isInterruption, startsObject, stopFor, wholeArguments } from '../streams/call-arguments.ts'
import { TextBuffer } from '../streams/stream-meter.ts'

/** More than any model writes into one call. */
const maxCharacters = 4 * 1024 * 1024

type Part<Type extends ChatPart['type']> = Extract<ChatPart, { readonly type: Type }>
type Emit = (part: ChatPart) => void

interface OpenCall {
  readonly start: Part<'tool-call-start'>
  readonly text: TextBuffer
  size: number
  /** The caller knows that it began. */
  isAnnounced: boolean
  /** Its arguments go on as they come, because they begin as an object. */
  passes: boolean
  /** The upstream has ended it. */
  hasEnded: boolean
  /** Set for a call that is incomplete whatever else arrives. */
  isBroken: boolean
}

interface CandidateCalls {
  readonly open: Map<number, OpenCall>
  /** The call that began last, while nothing follows it and nothing of it has passed. */
  last: OpenCall | undefined
  whole: number
  /** A call has ended that is not whole. */
  hasCut: boolean
  isStopped: boolean
}

/**
 * Judges the calls of a streamed response on its way to a caller of another format: a call ends there only when the upstream
 * ended it, or its response, and its arguments are whole. A call that only began is announced with its first argument, so
 * that it never looks like a call without arguments. Every decoder and every encoder is joined here.
 */
export class CallEnds {
  /** The upstream ended its response, without a word of a limit, inside a call: the response is not complete. */
  isCut = false
  readonly #rules: CallRules
  readonly #sequences: readonly string[] | undefined
  readonly #emit: Emit
  readonly #candidates = new Map<number, CandidateCalls>()

  /**
   * @param sequences the caller's stop sequences; `undefined` where they are not known
   * @param emit receives the parts that the caller gets
   */
  constructor(rules: CallRules, sequences: readonly string[] | undefined, emit: Emit) {
    this.#rules = rules
    this.#sequences = sequences
    this.#emit = emit
  }

  take(part: ChatPart): void {
    switch (part.type) {
      case 'tool-call-start':
        this.#start(part)
        return
      case 'tool-call-delta':
        this.#add(part)
        return
      case 'tool-call-end':
        this.#end(part)
        return
      case 'stop':
        this.#stop(part)
        return
      case 'end':
        this.#endAll(part)
        return
      default:
        if (this.#candidates.size > 0 && 'candidate' in part && part.type !== 'open')
          this.#goOn(part.candidate)
        this.#emit(part)
    }
  }

  #start(start: Part<'tool-call-start'>): void {
    this.#goOn(start.candidate)
    const own = this.#callsOf(start.candidate)
    own.last = {
      start,
      text: new TextBuffer(),
      size: 0,
      isAnnounced: false,
      passes: false,
      hasEnded: false,
      isBroken: false,
    }
    own.open.set(start.call, own.last)
  }

  #add(part: Part<'tool-call-delta'>): void {
    const own = this.#candidates.get(part.candidate)
    const call = own?.open.get(part.call)
    if (own === undefined || call === undefined || part.arguments === '') return
    if (call !== own.last) this.#goOn(part.candidate)
    call.size += part.arguments.length
    if (call.size <= maxCharacters) call.text.append(part.arguments)
    if (call.passes) this.#emit(part)
    else if (startsObject(call.text.read())) {
      call.passes = true
      this.#announce(call)
      this.#say(call, call.text.read())
    }
  }

  /** Returns it without arguments it may be a call that a limit cut: what follows decides. */
  #end({ candidate, call: number, isCut }: Part<'tool-call-end'>): void {
    const own = this.#candidates.get(candidate)
    const call = own?.open.get(number)
    if (own === undefined || call === undefined) return
    if (isCut === true) {
      call.isBroken = true
      return
    }
    call.hasEnded = true
    if (call !== own.last || call.size > 0) this.#settle(own, call, true)
  }

  /** Something follows the call that began last. */
  #goOn(candidate: number): void {
    const own = this.#candidates.get(candidate)
    const call = own?.last
    if (own === undefined || call === undefined) return
    own.last = undefined
    this.#announce(call)
    if (call.hasEnded && own.open.has(call.start.call)) this.#settle(own, call, true)
  }

  #stop(part: Part<'stop'>): void {
    const own = this.#callsOf(part.candidate)
    own.isStopped = true
    const isExplained = isInterruption(part.stop)
    for (const call of own.open.values()) this.#settle(own, call, !isExplained || call !== own.last)
    if (own.hasCut && !isExplained && !this.#rules.endsMalformed) this.isCut = true
    else this.#emit({ ...part, stop: stopFor(part.stop, own.whole > 0, this.#sequences) })
  }

  /** The end mark: candidates with calls that have not said why they ended did so with these. */
  #endAll(part: Part<'end'>): void {
    this.isCut ||= part.isEarly === true
    for (const [candidate, own] of this.#candidates) if (!own.isStopped) this.#endCandidate(candidate, own)
    this.#emit(part)
  }

  #endCandidate(candidate: number, own: CandidateCalls): void {
    for (const call of own.open.values()) this.#settle(own, call, call.hasEnded || call !== own.last)
    if (own.hasCut) this.isCut = true
    else this.#emit({ type: 'stop', candidate, stop: { reason: 'tool-calls' } })
  }

  /** @param mayBeEmpty no arguments are none, because the upstream ended the call */
  #settle(own: CandidateCalls, call: OpenCall, mayBeEmpty: boolean): void {
    own.open.delete(call.start.call)
    const whole = this.#wholeText(call, mayBeEmpty)
    if (whole === undefined) {
      own.hasCut = true
      this.#showMalformed(call)
      return
    }
    own.whole += 1
    if (!call.passes) this.#complete(call, whole)
    const { candidate, call: number } = call.start
    this.#emit({ type: 'tool-call-end', candidate, call: number })
  }

  #wholeText({ text, size, isBroken }: OpenCall, mayBeEmpty: boolean): string | undefined {
    const stated = text.read()
    if (isBroken || size > maxCharacters || (!mayBeEmpty && stated.trim() === '')) return undefined
    return wholeArguments(stated, this.#rules)
  }

  /** Returns where the format has an end for such a call, that end repeats it. */
  #showMalformed(call: OpenCall): void {
    if (this.#rules.endsMalformed && !call.passes && call.size > 0) this.#complete(call, call.text.read())
  }

  #complete(call: OpenCall, text: string): void {
    this.#announce(call)
    this.#say(call, text)
  }

  #announce(call: OpenCall): void {
    if (!call.isAnnounced) this.#emit(call.start)
    call.isAnnounced = true
  }

  #say({ start: { candidate, call } }: OpenCall, text: string): void {
    this.#emit({ type: 'tool-call-delta', candidate, call, arguments: text })
  }

  #callsOf(candidate: number): CandidateCalls {
    const known = this.#candidates.get(candidate)
    if (known !== undefined) return known
    const made = { open: new Map(), last: undefined, whole: 0, hasCut: false, isStopped: false }
    this.#candidates.set(candidate, made)
    return made
  }
}
