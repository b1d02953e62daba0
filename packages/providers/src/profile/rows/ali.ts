import { fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'

const compatible = 'https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope'
const thinking = 'https://help.aliyun.com/en/model-studio/deep-thinking'
const budget = 'thinking_budget'

export const ali: ProviderProfile = {
  fields: fact(
    {
      takes: 'any',
      names: { max_completion_tokens: 'max_tokens' },
      // Strictly between 0 and 1, or the call is refused.
      ranges: { top_p: [0.001, 0.999] },
      messages: { roles: { developer: 'system' } },
    },
    compatible,
    notReadAgain,
  ),
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, thinking),
  limits: fact({ toolName: { max: 64, characters: 'word' } }, compatible, notReadAgain),
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', thinking),
  families: [
    {
      models: ['qwen-plus*', 'qwen-turbo*', 'qwen-flash*', 'qwen3-max*', 'qwen3-vl-*', 'qwen3-omni-flash*'],
      reasoning: fact(
        { switch: 'enable-thinking', efforts: [], unasked: 'does-not-think', budget },
        'https://github.com/anomalyco/models.dev/pull/2364',
      ),
    },
    {
      models: ['qwen3-[0-9]*b*', 'qwen3.[5-9]*', 'qwen[4-9]*'],
      reasoning: fact({ switch: 'enable-thinking', efforts: [], unasked: 'thinks', budget }, thinking),
    },
    {
      models: ['qwen3-[0-9]*b'],
      except: ['qwen3-*-*-*'],
      reasoning: fact(
        { switch: 'enable-thinking', efforts: [], unasked: 'thinks', budget, streamsOnly: true },
        'https://github.com/QuantumNous/new-api/issues/1109',
      ),
    },
    {
      models: ['*deepseek-v3.[12]*', '*deepseek-v[4-9]*', '*kimi-k2.[5-9]*'],
      reasoning: fact(
        { switch: 'enable-thinking', efforts: [], unasked: 'does-not-think', budget },
        'https://github.com/zhing2006/krew-cli/releases/tag/v0.11.9',
      ),
    },
    {
      models: ['*deepseek-v[4-9]*'],
      reasoning: fact(
        { switch: 'enable-thinking', efforts: ['high', 'max'], unasked: 'does-not-think', budget },
        'https://github.com/zhing2006/krew-cli/releases/tag/v0.11.9',
      ),
    },
    {
      models: ['*glm-4.[5-9]*', '*glm-[5-9]*'],
      reasoning: fact({ switch: 'enable-thinking', efforts: [], unasked: 'thinks', budget }, thinking),
    },
    {
      models: [
        ...[
          'qwen-max*',
          'qwen-long*',
          'qwen-vl*',
          'qwen-coder*',
          'qwen-math*',
          'qwen-mt*',
          'qwen-omni*',
          'qwen1*',
        ],
        ...['qwen2*', 'qwen3-coder*', '*-instruct*', '*deepseek-v3', '*deepseek-v3-*', 'qwen-*-character*'],
      ],
      reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, thinking),
    },
    {
      models: ['qwq*', 'qvq*', '*deepseek-r1*', '*minimax-m[12]*'],
      reasoning: fact(
        { switch: 'always', efforts: [], unasked: 'thinks' },
        'https://github.com/anomalyco/models.dev/pull/2859',
      ),
    },
    {
      models: ['*-thinking*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks', budget }, thinking),
    },
  ],
}
