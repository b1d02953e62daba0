/** What the vendor calls a model in its address, where that is not the name in lower case. Keys in lower case. */
const endpoints: ReadonlyMap<string, string> = new Map([
  ['ernie-4.0', 'completions_pro'],
  ['ernie-4.0-8k', 'completions_pro'],
  ['ernie-bot-4', 'completions_pro'],
  ['ernie-3.5-8k', 'completions'],
  ['ernie-bot', 'completions'],
  ['ernie-bot-8k', 'ernie_bot_8k'],
  ['ernie-speed', 'ernie_speed'],
  ['ernie-speed-8k', 'ernie_speed'],
  ['ernie-lite-8k-0922', 'eb-instant'],
  ['ernie-bot-turbo', 'eb-instant'],
  ['ernie-lite-8k-0308', 'ernie-lite-8k'],
  ['bloomz-7b', 'bloomz_7b1'],
  ['bge-large-zh', 'bge_large_zh'],
  ['bge-large-en', 'bge_large_en'],
  ['tao-8k', 'tao_8k'],
])

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export function endpointOf(model: string): string {
  const name = model.toLowerCase()
  return endpoints.get(name) ?? encodeURIComponent(name)
}

export function isEmbedding(model: string): boolean {
  return /^(embedding|bge-large|tao-8k)/i.test(model)
}

/** Small models answer as if no functions had been offered. */
export function callsFunctions(model: string): boolean {
  return !/^(ernie-(speed|lite|tiny)|ernie-bot-turbo|eb-instant|bloomz)/i.test(model)
}
