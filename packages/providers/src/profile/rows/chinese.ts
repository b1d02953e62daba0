import { fact, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import { formOfItsOwn } from './undocumented.ts'

/** MiniMax, Baidu, Tencent, iFlytek, 01.AI and 360. */

const minimaxReference = 'https://platform.minimaxi.com/document/ChatCompletion_v2'
const minimaxThinking = 'https://java.agentscope.io/v2/en/integration/model/minimax.html'
const qianfanThinking = 'https://cloud.baidu.com/doc/qianfan-docs/s/Wm95lyynv'

const never = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const
const always = { switch: 'always', efforts: [], unasked: 'thinks' } as const

export const minimax: ProviderProfile = {
  fields: fact(
    {
      takes: 'any',
      drops: ['stream_options'],
      // Zero is refused.
      ranges: { temperature: [0.01, 1], top_p: [0.01, 1] },
      messages: { roles: { developer: 'system' } },
    },
    minimaxReference,
    notReadAgain,
  ),
  responses: 'none',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, minimaxThinking),
  limits: 'unknown',
  schema: fact('plain', minimaxReference, notReadAgain),
  betas: 'none',
  ids: fact('own', minimaxReference, notReadAgain),
  families: [
    {
      models: ['abab*', 'minimax-text*', 'minimax-vl*'],
      reasoning: fact(never, minimaxReference, notReadAgain),
    },
    { models: ['minimax-m[12]*'], reasoning: fact(always, minimaxThinking) },
    {
      models: ['minimax-m3', 'minimax-m3-*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'thinks' }, minimaxThinking),
    },
    {
      models: ['minimax-m3.1*'],
      reasoning: fact(
        always,
        'https://dev.to/aihubmix/fixing-requires-adaptive-thinking-2013-when-moving-from-minimax-m27-to-m31-flash-1iif',
      ),
    },
  ],
}

export const qianfan: ProviderProfile = {
  fields: fact({ takes: 'any', messages: { roles: { developer: 'system' } } }, qianfanThinking),
  responses: 'unknown',
  reasoning: 'unknown',
  sampling: 'unknown',
  history: fact({ reasoning: 'free', field: 'reasoning_content' }, qianfanThinking),
  limits: 'unknown',
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', qianfanThinking),
  families: [
    {
      models: [
        'ernie-[34]*',
        'ernie-speed*',
        'ernie-lite*',
        'ernie-tiny*',
        'ernie-char*',
        'ernie-novel*',
        'deepseek-v3',
      ],
      reasoning: fact(never, qianfanThinking),
    },
    {
      models: ['deepseek-v3.[12]*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'does-not-think' }, qianfanThinking),
      sampling: fact({ refuses: ['logprobs', 'top_logprobs'], when: 'reasoning' }, qianfanThinking),
    },
    {
      models: ['kimi-k2.5*', 'glm-5*', 'glm-4.7*'],
      reasoning: fact({ switch: 'thinking-type', efforts: [], unasked: 'thinks' }, qianfanThinking),
    },
    {
      models: ['kimi-k2.5*'],
      sampling: fact(
        {
          refuses: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
          when: 'always',
          accepts: { temperature: 1, top_p: 0.95, presence_penalty: 0, frequency_penalty: 0 },
        },
        qianfanThinking,
      ),
    },
    {
      models: ['qwen3-[0-9]*b*', 'ernie-4.5-turbo-vl-*', 'ernie-4.5-vl-28b-a3b*'],
      reasoning: fact({ switch: 'enable-thinking', efforts: [], unasked: 'does-not-think' }, qianfanThinking),
    },
    {
      models: ['ernie-5.0-thinking*'],
      reasoning: fact({ switch: 'enable-thinking', efforts: [], unasked: 'thinks' }, qianfanThinking),
    },
    {
      models: ['ernie-x1*', 'deepseek-r1*', 'qwq*', '*-thinking*'],
      except: ['ernie-5.0-thinking*'],
      reasoning: fact(always, qianfanThinking),
    },
  ],
}

/** Requests of a form of its own, which its encoder fits. */
export const baidu: ProviderProfile = formOfItsOwn

/** Requests of a form of its own, which its encoder fits. */
export const tencent: ProviderProfile = {
  ...formOfItsOwn,
  ids: fact('own', 'https://cloud.tencent.com/document/api/1729/105701', notReadAgain),
}

/** Requests of a form of its own, which its encoder fits. */
export const xunfei: ProviderProfile = {
  ...formOfItsOwn,
  ids: fact('own', 'https://www.xfyun.cn/doc/spark/Web.html', notReadAgain),
}

export const lingyi: ProviderProfile = {
  fields: fact(
    {
      takes: 'any',
      drops: ['stream_options'],
      names: { max_completion_tokens: 'max_tokens' },
      messages: { roles: { developer: 'system' } },
    },
    'https://platform.lingyiwanwu.com/docs',
    notReadAgain,
  ),
  responses: 'none',
  reasoning: fact(never, 'https://platform.lingyiwanwu.com/docs', notReadAgain),
  sampling: 'unknown',
  history: 'unknown',
  limits: 'unknown',
  schema: 'unknown',
  betas: 'none',
  ids: fact('own', 'https://platform.lingyiwanwu.com/docs', notReadAgain),
}
