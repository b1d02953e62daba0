import type { AssistantPart, Signature } from '../canonical/request.ts'
import type { Candidate, ChatResponse, Citation, Stop, TokenLogprob } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import type { Usage } from '../usage.ts'

type OfCandidate = Extract<ChatPart, { readonly candidate: number }>

/** Folds the parts of a streamed response into a buffered response. Ignores errors and end marks. */
export class ResponseCollector {
  #id = ''
  #model = ''
  #createdAt = 0
  #usage: Usage | undefined
  readonly #leftOut = new Set<string>()
  readonly #candidates = new Map<number, CandidateCollector>()

  take(part: ChatPart): void {
    switch (part.type) {
      case 'start':
        this.#id = part.id
        this.#model = part.model
        this.#createdAt = part.createdAt
        return
      case 'usage':
        this.#usage = part.usage
        return
      case 'left-out':
        this.#leftOut.add(part.name)
        return
      case 'tool-ran':
      case 'error':
      case 'end':
        return
      default:
        this.#collectorOf(part.candidate).take(part)
    }
  }

  response(): ChatResponse {
    return {
      id: this.#id,
      model: this.#model,
      createdAt: this.#createdAt,
      candidates: [...this.#candidates]
        .toSorted(([a], [b]) => a - b)
        .map(([index, each]) => each.read(index)),
      usage: this.#usage,
      ...(this.#leftOut.size > 0 && { leftOut: [...this.#leftOut] }),
    }
  }

  #collectorOf(index: number): CandidateCollector {
    const known = this.#candidates.get(index)
    if (known !== undefined) return known
    const made = new CandidateCollector()
    this.#candidates.set(index, made)
    return made
  }
}

/** The buffered response that the parts of a stream make up. */
export function collectResponse(parts: Iterable<ChatPart>): ChatResponse {
  const collector = new ResponseCollector()
  for (const part of parts) collector.take(part)
  return collector.response()
}

/** Parts under construction: texts grow, so they are kept in pieces. */
type Block =
  | { readonly type: 'text' | 'refusal'; readonly pieces: string[]; signature?: Signature }
  | { readonly type: 'reasoning'; readonly pieces: string[]; signature?: Signature; encrypted?: Signature }
  | {
      readonly type: 'call'
      readonly start: Extract<ChatPart, { type: 'tool-call-start' }>
      readonly pieces: string[]
    }
  | { readonly type: 'whole'; readonly part: AssistantPart }

class CandidateCollector {
  readonly #blocks: Block[] = []
  readonly #calls = new Map<number, string[]>()
  readonly #citations: Citation[] = []
  readonly #logprobs: TokenLogprob[] = []
  #stop: Stop = { reason: 'stop' }

  take(part: OfCandidate): void {
    switch (part.type) {
      case 'open':
      case 'tool-call-end':
        return
      case 'stop':
        this.#stop = part.stop
        return
      case 'citation':
        this.#citations.push(part.citation)
        return
      case 'logprobs':
        for (const logprob of part.logprobs) this.#logprobs.push(logprob)
        return
      case 'tool-call-delta':
        this.#calls.get(part.call)?.push(part.arguments)
        return
      default:
        this.#takeContent(part)
    }
  }

  read(index: number): Candidate {
    return {
      index,
      parts: this.#blocks.map(partOf),
      stop: this.#stop,
      ...(this.#logprobs.length > 0 && { logprobs: this.#logprobs }),
      ...(this.#citations.length > 0 && { citations: this.#citations }),
    }
  }

  #takeContent(part: Content): void {
    switch (part.type) {
      case 'text-delta':
        this.#texts('text').push(part.text)
        return
      case 'refusal-delta':
        this.#texts('refusal').push(part.text)
        return
      case 'text-signature':
        this.#signText(part.signature)
        return
      case 'reasoning-delta':
        this.#reasoning().pieces.push(part.text)
        return
      case 'reasoning-signature':
        this.#reasoning().signature = part.signature
        return
      case 'reasoning-encrypted':
        this.#encrypt(part.encrypted)
        return
      case 'tool-call-start':
        this.#startCall(part)
        return
      case 'media':
        this.#blocks.push({ type: 'whole', part: part.media })
    }
  }

  /** The open text; a signed one is closed. */
  #texts(type: 'text' | 'refusal'): string[] {
    const last = this.#blocks.at(-1)
    if (last?.type === type && last.signature === undefined) return last.pieces
    const pieces: string[] = []
    this.#blocks.push({ type, pieces })
    return pieces
  }

  #signText(signature: Signature): void {
    const last = this.#blocks.at(-1)
    if (last?.type === 'text' && last.signature === undefined) last.signature = signature
    else this.#blocks.push({ type: 'text', pieces: [], signature })
  }

  /** Anthropic's encrypted reasoning is a block of its own; that of others belongs to the open reasoning block. */
  #encrypt(encrypted: Signature): void {
    if (encrypted.vendor === 'anthropic') this.#blocks.push({ type: 'reasoning', pieces: [], encrypted })
    else this.#reasoning().encrypted = encrypted
  }

  /** The open reasoning block; a signature closes it. */
  #reasoning(): Extract<Block, { type: 'reasoning' }> {
    const last = this.#blocks.at(-1)
    if (last?.type === 'reasoning' && last.signature === undefined && last.encrypted === undefined)
      return last
    const made: Extract<Block, { type: 'reasoning' }> = { type: 'reasoning', pieces: [] }
    this.#blocks.push(made)
    return made
  }

  #startCall(start: Extract<ChatPart, { type: 'tool-call-start' }>): void {
    const pieces: string[] = []
    this.#calls.set(start.call, pieces)
    this.#blocks.push({ type: 'call', start, pieces })
  }
}

type Content = Exclude<
  OfCandidate,
  { readonly type: 'open' | 'tool-call-end' | 'stop' | 'citation' | 'logprobs' | 'tool-call-delta' }
>

function partOf(block: Block): AssistantPart {
  switch (block.type) {
    case 'text':
      return {
        type: 'text',
        text: block.pieces.join(''),
        ...(block.signature && { signature: block.signature }),
      }
    case 'refusal':
      return { type: 'refusal', text: block.pieces.join('') }
    case 'reasoning':
      return {
        type: 'reasoning',
        text: block.pieces.join(''),
        ...(block.signature && { signature: block.signature }),
        ...(block.encrypted && { encrypted: block.encrypted }),
      }
    case 'call': {
      const { id, name, signature } = block.start
      const text = block.pieces.join('')
      return { type: 'tool-call', id, name, arguments: text, ...(signature && { signature }) }
    }
    default:
      return block.part
  }
}
