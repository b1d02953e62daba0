import { type FieldRules, fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import { formOfItsOwn } from './undocumented.ts'

const reference =
  'https://docs.bigmodel.cn/api-reference/%E6%A8%A1%E5%9E%8B-api/%E5%AF%B9%E8%AF%9D%E8%A1%A5%E5%85%A8'
const thinking = 'https://docs.bigmodel.cn/cn/guide/capabilities/thinking-mode'

const fields: FieldRules = {
  takes: 'any',
  drops: ['stream_options'],
  names: { max_completion_tokens: 'max_tokens', user: 'user_id' },
  ranges: { temperature: [0, 1], top_p: [0, 0.99] },
  lists: ['stop'],
  messages: { roles: { developer: 'system' } },
}

export const zhipu: ProviderProfile = {
  fields: fact(fields, reference, notReadAgain),
  responses: 'none',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, thinking),
  limits: fact(
    {
      toolName: { max: 64, characters: 'word' },
      texts: { user_id: { min: 6, max: 128 } },
      tools: 128,
      stops: 1,
    },
    reference,
    notReadAgain,
  ),
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', thinking),
  families: [
    {
      models: ['glm-[34]', 'glm-[34][!.0-9]*', 'codegeex*', 'charglm*'],
      reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, thinking),
    },
    {
      models: ['glm-4.[5-9]*', 'glm-[5-9]*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'thinks' }, thinking),
    },
    {
      models: ['glm-5.[2-9]*', 'glm-[6-9]*'],
      reasoning: fact(
        {
          switch: 'thinking-type',
          efforts: ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
          unasked: 'thinks',
        },
        'https://docs.rs/zai-rs/latest/zai_rs/model/tools/enum.ReasoningEffort.html',
      ),
    },
    {
      models: ['glm-z1*', 'glm-4.1v-thinking*', 'glm-zero*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, thinking),
    },
  ],
}

/** API v3, whose requests are of its own form. */
export const zhipuV3: ProviderProfile = formOfItsOwn
