import type { EncodeContext } from '../../canonical/codec.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import type { Candidate, ChatResponse } from '../../canonical/response.ts'
import { detachSignatures } from '../../requests/foreign-signatures.ts'
import { noUsage } from '../../usage.ts'
import { toolNames } from '../tool-names.ts'
import type { EventSink } from './output-items.ts'
import { endedResponse, itemSuffix, responseHead, responseIdFor } from './response-object.ts'
import { ResponseOutput } from './response-output.ts'
import { encodeStop } from './stop.ts'

/** The response as callers of this format read it: what the last event of its stream would hold. */
export function encodeResponse(response: ChatResponse, call: EncodeContext): unknown {
  const id = responseIdFor(response.id, call)
  const candidate: Candidate = response.candidates[0] ?? { index: 0, parts: [], stop: { reason: 'stop' } }
  const output = new ResponseOutput(itemSuffix(id), toolNames(call.echo?.tools), noEvents)
  insertParts(output, candidate)
  const stop = encodeStop(candidate.stop, output.hasRefusal)
  output.close(stop.status)
  return {
    ...responseHead(id, response.createdAt || call.createdAt, call),
    ...endedResponse(stop, output.items, response.usage ?? noUsage, call),
  }
}

/** A buffered response needs no events. */
const noEvents: EventSink = { event: () => {} }

/** Citations and log probabilities belong to a text; which of several, the other formats do not say. */
function insertParts(output: ResponseOutput, candidate: Candidate): void {
  const { citations = [], logprobs = [] } = candidate
  const items = detachSignatures(candidate.parts)
  const last = items.findLastIndex(({ type }) => type === 'text')
  items.forEach((item, index) => {
    if (item.type === 'mark') output.addMark(item)
    else insertPart(output, item, index)
    if (index !== last) return
    output.addLogprobs(logprobs)
    for (const citation of citations) output.addCitation(citation)
  })
}

function insertPart(output: ResponseOutput, part: AssistantPart, index: number): void {
  switch (part.type) {
    case 'text':
      output.addText(part.text)
      return
    case 'refusal':
      output.addRefusal(part.text)
      return
    case 'media':
      output.addMedia(part)
      return
    case 'reasoning':
      output.addReasoning(part.text)
      if (part.encrypted !== undefined) output.addEncrypted(part.encrypted)
      else if (part.signature !== undefined) output.addSignature(part.signature)
      return
    case 'tool-call':
      output.startCall(index, part.id, part.name)
      output.addArguments(index, part.arguments)
      if (part.isCut !== true) output.endCall(index)
  }
}
