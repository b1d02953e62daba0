import type { RequestQuirks } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { effortFromName, mergedEdits, noEdits, renamed } from '../quirks.ts'
import { xaiImages } from './images.ts'

const quirks: RequestQuirks = (request, model) =>
  model.startsWith('grok-3-mini')
    ? mergedEdits(renamed(request, 'max_tokens', 'max_completion_tokens'), effortFromName(request, model))
    : noEdits

/** Its completion tokens leave reasoning out, which the usage reader tells from the total. https://docs.x.ai */
export const xai = openAiCompatible({
  id: 'xai',
  defaultBaseUrl: 'https://api.x.ai',
  modes: ['chat', 'images', 'image-edits'],
  // Both are JSON.
  own: { images: xaiImages, 'image-edits': xaiImages },
  streamOptions: true,
  responses: { path: '/responses' },
  quirks,
})
