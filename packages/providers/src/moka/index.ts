import { memberText, type RequestQuirks } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { noEdits } from '../quirks.ts'

/** The input is always a list here. */
const quirks: RequestQuirks = (request) => {
  const input = request.scan.members.get('input')
  return typeof request.body.input === 'string' && input !== undefined
    ? new Map([['input', `[${memberText(request.text, input)}]`]])
    : noEdits
}

/** M3E embeddings, without a version in the path. */
export const moka = openAiCompatible({
  id: 'moka',
  defaultBaseUrl: 'https://api.moka.ai',
  root: '',
  modes: ['embeddings'],
  streamOptions: false,
  models: false,
  quirks,
})
