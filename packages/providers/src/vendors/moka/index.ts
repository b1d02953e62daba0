import { memberText, type RequestQuirks } from '@tollgate/formats'
import { noEdits } from '../../edits/json-edits.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'

/** The input is always a list there. */
const inputAsList: RequestQuirks = ({ text, scan, body }) => {
  const input = scan.members.get('input')
  return typeof body.input === 'string' && input !== undefined
    ? new Map([['input', `[${memberText(text, input)}]`]])
    : noEdits
}

/** M3E embeddings, without a version in the path. */
export const moka = openAiCompatible({
  id: 'moka',
  root: '',
  serves: ['embeddings'],
  lacks: ['model-list'],
  quirks: inputAsList,
})
