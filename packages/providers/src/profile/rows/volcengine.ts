import { fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const reference = 'https://www.volcengine.com/docs/82379/1298454'
const efforts = 'https://github.com/web-infra-dev/midscene/pull/2010'

export const volcengine: ProviderProfile = {
  fields: fact({ takes: 'any', messages: { roles: { developer: 'system' } } }, reference, notReadAgain),
  responses: fact({ takes: 'any' }, reference, notReadAgain),
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, reference, notReadAgain),
  limits: fact({ stops: 4 }, reference, notReadAgain),
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', reference, notReadAgain),
  families: [
    {
      models: ['doubao-seed-1[-.]6*', 'doubao-seed-code*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'thinks' }, reference, notReadAgain),
    },
    {
      models: ['doubao-seed-1[-.][7-9]*', 'doubao-seed-[2-9]*', 'doubao-seed-1[-.]6*251015*'],
      reasoning: fact(
        { switch: 'thinking-type', efforts: ['minimal', 'low', 'medium', 'high'], unasked: 'thinks' },
        efforts,
      ),
    },
    {
      models: ['deepseek-v3[-.][12]', 'deepseek-v3[-.][12]-*'],
      reasoning: fact(
        { switch: 'thinking-type', efforts: [], unasked: 'does-not-think' },
        'https://github.com/QuantumNous/new-api/pull/1652',
      ),
    },
    {
      models: ['deepseek-v[4-9]*', 'kimi-k2[-.][5-9]*', 'glm-4[-.][5-9]', 'glm-4[-.][5-9]-*', 'glm-[5-9]*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'thinks' }, reference, notReadAgain),
    },
    {
      models: [
        'deepseek-r1*',
        'kimi-k2-thinking*',
        'doubao-seed-1[-.]6-thinking*',
        'doubao-1[-.]5-thinking*',
      ],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, reference, notReadAgain),
    },
    {
      models: [
        ...[
          'doubao-pro*',
          'doubao-lite*',
          'doubao-1[-.]5-pro*',
          'doubao-1[-.]5-lite*',
          'doubao-1[-.]5-vision*',
        ],
        ...['deepseek-v3-[23][0-9]*', 'deepseek-v3', 'kimi-k2-250*', 'kimi-k2-0*', 'moonshot-v1*'],
      ],
      reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, reference, notReadAgain),
    },
  ],
}
