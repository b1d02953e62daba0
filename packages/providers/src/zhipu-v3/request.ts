import { type ChatRequest, type EncodedRequest, given, unsupported } from '@tollgate/formats'
import { asTexts, conversationOf, type TextItem } from '../conversation.ts'
import { droppedOptions, type Option, within } from '../dropped-options.ts'
import { planTools } from '../tool-plan.ts'

const takes: ReadonlySet<Option> = new Set<Option>(['temperature', 'top_p'])
/** Both ends of the interval are refused. */
const least = 0.01
const most = 0.99

/**
 * The request in the words of the older API; model and streaming stand in the address. It has no limit of the output, no
 * tools and no role for instructions, which are acknowledged instead.
 * @throws RequestFault for what it cannot say and whose loss would change the answer
 */
export function encodeRequest(request: ChatRequest): EncodedRequest {
  const dropped = droppedOptions(request, 'provider:zhipu-v3', takes)
  if (planTools(request, dropped).tools.length > 0) throw unsupported('tools', 'the model calls no tools')
  const { system, said } = conversationOf(request.messages, { images: false })
  const { temperature, topP } = request.sampling
  const prompt = [...(system === '' ? [] : acknowledged(system)), ...asTexts(said)]
  const body = {
    prompt: prompt.map(({ role, text }) => ({ role, content: text })),
    ...given('temperature', within(temperature, least, most)),
    ...given('top_p', within(topP, least, most)),
  }
  return { body, dropped: [...dropped] }
}

function acknowledged(system: string): readonly TextItem[] {
  return [
    { type: 'text', role: 'user', text: system },
    { type: 'text', role: 'assistant', text: 'Okay.' },
  ]
}
