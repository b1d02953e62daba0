import { fact, type ModelFamily } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import {
  alwaysThinking,
  deepseekHybrid,
  gemmaHybrid,
  glmHybrid,
  gptOss,
  graniteHybrid,
  kimiHybrid,
  neverThinking,
  qwenHybrid,
} from './open-weights.ts'

/** Open models at servers that pass `chat_template_kwargs` on to the template of the model. */

const vllm = 'https://docs.vllm.ai/en/v0.26.0/features/reasoning_outputs/'
const sglang = 'https://docs.sglang.io/docs/advanced_features/separate_reasoning'

export const templateFamilies: readonly ModelFamily[] = [
  {
    ...qwenHybrid,
    reasoning: fact({ switch: 'template-enable-thinking', efforts: [], unasked: 'thinks' }, vllm),
  },
  {
    ...glmHybrid,
    reasoning: fact(
      { switch: 'template-enable-thinking', efforts: [], unasked: 'thinks' },
      'https://github.com/zai-org/GLM-4.5',
    ),
  },
  {
    ...kimiHybrid,
    reasoning: fact(
      { switch: 'template-thinking', efforts: [], unasked: 'thinks' },
      'https://huggingface.co/moonshotai/Kimi-K2.5',
      notReadAgain,
    ),
  },
  {
    ...deepseekHybrid,
    reasoning: fact({ switch: 'template-thinking', efforts: [], unasked: 'does-not-think' }, sglang),
  },
  {
    ...gemmaHybrid,
    reasoning: fact({ switch: 'template-enable-thinking', efforts: [], unasked: 'does-not-think' }, vllm),
  },
  {
    ...graniteHybrid,
    reasoning: fact({ switch: 'template-thinking', efforts: [], unasked: 'does-not-think' }, vllm),
  },
  {
    models: ['*hunyuan-a13b*'],
    reasoning: fact(
      { switch: 'template-enable-thinking', efforts: [], unasked: 'thinks' },
      'https://huggingface.co/tencent/Hunyuan-A13B-Instruct',
    ),
  },
  {
    models: ['*nemotron-3*', '*nemotron-nano-9b-v2*', '*nemotron-nano-12b-v2*'],
    reasoning: fact(
      { switch: 'template-enable-thinking', efforts: [], unasked: 'thinks' },
      'https://github.com/NVIDIA-NeMo/nemo-platform/pull/1753',
    ),
  },
  {
    models: ['*mistral-medium-3[.-]5*', '*mistral-small-4*'],
    reasoning: fact(
      { switch: 'effort', efforts: ['none', 'high'], unasked: 'does-not-think' },
      'https://docs.sglang.io/cookbook/autoregressive/Mistral/Mistral-Medium-3.5',
    ),
  },
  {
    ...neverThinking,
    reasoning: fact({ switch: 'never', efforts: [], unasked: 'does-not-think' }, vllm),
  },
  { ...alwaysThinking, reasoning: fact({ switch: 'always', efforts: [], unasked: 'thinks' }, sglang) },
  {
    ...gptOss,
    reasoning: fact(
      { switch: 'effort', efforts: ['low', 'medium', 'high'], unasked: 'thinks' },
      'https://cookbook.openai.com/articles/gpt-oss/run-vllm',
      notReadAgain,
    ),
  },
]
