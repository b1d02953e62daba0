import { RequestFault } from './canonical/codec.ts'
import type { FormatName } from './canonical/format.ts'

type Names = Readonly<Record<string, string>>

/** Fields by the names that encoders know them by, and what callers of each format call them. */
const names: Partial<Record<FormatName, Names>> = {
  'openai-responses': { response_format: 'text.format' },
  'anthropic-messages': { response_format: 'output_config.format', stop: 'stop_sequences' },
  gemini: {
    response_format: 'generationConfig.responseSchema',
    stop: 'generationConfig.stopSequences',
    n: 'generationConfig.candidateCount',
    modalities: 'generationConfig.responseModalities',
  },
}

/** What an upstream's format cannot say, told with the field's name in the caller's own format. */
export function inCallersWords(fault: RequestFault, format: string): RequestFault {
  const { param, message, code } = fault
  const known = names[format as FormatName]
  const name = param !== null && known !== undefined && Object.hasOwn(known, param) ? known[param] : undefined
  if (param === null || name === undefined) return fault
  const told = message.startsWith(param) ? name + message.slice(param.length) : `${name}: ${message}`
  return new RequestFault(told, name, code)
}
