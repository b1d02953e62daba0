import { fact, type ProviderProfile } from '../target-profile.ts'

const reference = 'https://docs.siliconflow.cn/docs/api/chat-completions-post'
const audited = 'https://github.com/anomalyco/models.dev/pull/2507'
const budget = 'thinking_budget'

export const siliconflow: ProviderProfile = {
  fields: fact(
    {
      takes: 'any',
      drops: ['stream_options'],
      names: { max_completion_tokens: 'max_tokens' },
      messages: { roles: { developer: 'system' } },
    },
    reference,
  ),
  responses: 'none',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, reference),
  limits: fact({ toolName: { max: 64, characters: 'word' }, tools: 128, stops: 4 }, reference),
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', reference),
  families: [
    {
      models: [
        ...['*qwen3-[0-9]*b*', '*qwen3.[5-9]*', '*qwen3-vl*', '*glm-4.[5-9]*', '*glm-[5-9]*'],
        ...['*deepseek-v3.[12]*', '*kimi-k2.[5-9]*', '*hunyuan-a13b*'],
      ],
      reasoning: fact({ switch: 'enable-thinking', efforts: [], unasked: 'thinks', budget }, reference),
    },
    {
      models: ['*deepseek-v[4-9]*', '*glm-5.[2-9]*'],
      reasoning: fact(
        { switch: 'enable-thinking', efforts: ['high', 'max'], unasked: 'thinks', budget },
        reference,
      ),
    },
    {
      models: [
        ...['*-instruct*', '*qwen2*', '*coder*', '*deepseek-v2*', '*deepseek-v3', '*glm-4-*', '*kimi-k2-0*'],
        '*deepseek-vl*',
      ],
      except: ['*hunyuan-a13b*'],
      reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, reference),
    },
    {
      models: ['*thinking*', '*deepseek-r1*', '*qwq*', '*glm-z1*', '*minimax-m[12]*'],
      reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks', budget }, audited),
    },
    {
      models: ['*kimi-k2.[5-9]*', '*kimi-k2-thinking*'],
      history: fact(
        { reasoning: 'required', field: 'reasoning_content', turns: 'with-calls', empty: ' ' },
        'https://github.com/agentscope-ai/QwenPaw/issues/433',
      ),
    },
  ],
}
