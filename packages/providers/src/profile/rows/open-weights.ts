/**
 * Names of open models as their hosts write them: with the maker in front, a size or a quantization behind, a dot, a dash or
 * a `p` in the version.
 */

/** They think by default, and can be told not to. */
export const qwenHybrid = {
  models: ['*qwen3*', '*qwen-3*'],
  except: ['*instruct*', '*thinking*', '*coder*', '*embed*', '*rerank*', '*guard*'],
}

export const glmHybrid = {
  models: ['*glm-4[.p][5-9]*', '*glm4[.p][5-9]*', '*glm-[5-9]*', '*glm[5-9]*'],
  except: ['*thinking*'],
}

export const kimiHybrid = {
  models: ['*kimi-k2[.p][5-9]*', '*kimi-k2-[5-9]*'],
  except: ['*thinking*', '*kimi-k2[.p]7-code*'],
}

/** All of these. */
export const thinkingByDefault = {
  models: [...qwenHybrid.models, ...glmHybrid.models, ...kimiHybrid.models],
  except: [...qwenHybrid.except, ...kimiHybrid.except],
}

/** They do not think unless they are told to. */
export const deepseekHybrid = {
  models: ['*deepseek*v3[.p][12]*', '*deepseek*v3-[12]', '*deepseek*v3-[12]-*', '*deepseek*v[4-9]*'],
  except: ['*speciale*', '*thinking*', '*base*'],
}

export const deepseekV4 = { models: ['*deepseek*v[4-9]*'] }
export const deepseekV3Hybrid = {
  models: ['*deepseek*v3[.p][12]*', '*deepseek*v3-[12]', '*deepseek*v3-[12]-*'],
  except: deepseekHybrid.except,
}

/** All of these models; the host decides what they do unasked. */
export const hybrid = {
  models: [...thinkingByDefault.models, ...deepseekHybrid.models],
  except: [...thinkingByDefault.except, ...deepseekHybrid.except],
}

export const gemmaHybrid = { models: ['*gemma-4*', '*gemma4*'] }
export const graniteHybrid = { models: ['*granite-3.[2-9]*', '*granite3.[2-9]*'] }

/** Low, medium and high; they cannot be told not to think. */
export const gptOss = { models: ['*gpt-oss*'] }

/** Models that think whatever the request says. */
export const alwaysThinking = {
  models: [
    ...[
      '*deepseek*r1*',
      '*deepseek-reasoner*',
      '*v3[.p]2-speciale*',
      '*qwq*',
      '*qvq*',
      '*qwen3*thinking*',
      '*qwen-3*thinking*',
    ],
    ...[
      '*kimi-k2-thinking*',
      '*kimi-k2[.p]7-code*',
      '*minimax-m[12]*',
      '*minimax*m2*',
      '*magistral*',
      '*phi-4*reasoning*',
    ],
    ...['*glm-z1*', '*glm-4.1v*thinking*', '*ernie-4.5*thinking*'],
  ],
}

/** Neither by default nor when they are told to. */
export const neverThinking = {
  models: [
    ...[
      '*llama-[234]*',
      '*llama[234]*',
      '*llama-v[234]*',
      '*meta-llama*',
      '*gemma-[23]*',
      '*gemma[23]*',
      '*mixtral*',
      '*mistral-7b*',
    ],
    ...[
      '*mistral-nemo*',
      '*qwen2*',
      '*qwen-2*',
      '*qwen1*',
      '*qwen3*instruct*',
      '*qwen3*coder*',
      '*qwen-3*instruct*',
    ],
    ...[
      '*qwen-3*coder*',
      '*kimi-k2-instruct*',
      '*kimi-k2-0*',
      '*kimi-k2',
      '*deepseek*v3',
      '*deepseek*v3-0324*',
    ],
    ...['*deepseek*v2*', '*glm-4-*', '*glm4-*', '*phi-3*', '*phi-4', '*phi4'],
  ],
  except: ['*nemotron*', '*r1-distill*', '*deepseek-r1*', '*reasoning*', '*thinking*'],
}
