import { type Content, type GenerateContentConfig, GoogleGenAI, type Part } from '@google/genai'
import {
  type Ask,
  counts,
  image,
  inOrderOfCompletion,
  parameters,
  question,
  responseSchema,
  type SdkAsk,
  type SdkOptions,
  type SdkReply,
  system,
  thinkingBudget,
  tool,
} from './ask.ts'

/** Google's own SDK. */
export function geminiCaller({ gatewayUrl, key }: SdkOptions): SdkAsk {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gatewayUrl, apiVersion: 'v1beta' } })
  return (ask) => {
    async function turn(contents: readonly Content[]): Promise<SdkReply> {
      const request = { model: ask.model, contents: [...contents], config: configOf(ask) }
      const chunks = ask.stream
        ? await Array.fromAsync(await client.models.generateContentStream(request))
        : [await client.models.generateContent(request)]
      const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
      const last = chunks.at(-1)
      const usage = last?.usageMetadata
      return {
        text: textsIn(parts, false),
        reasoning: textsIn(parts, true),
        toolCalls: calls.map(({ name = '', args }) => ({ name, arguments: args })),
        stop: last?.candidates?.[0]?.finishReason ?? '',
        usage: counts({
          promptTokenCount: usage?.promptTokenCount,
          candidatesTokenCount: usage?.candidatesTokenCount,
          thoughtsTokenCount: usage?.thoughtsTokenCount,
          totalTokenCount: usage?.totalTokenCount,
          cachedContentTokenCount: usage?.cachedContentTokenCount,
        }),
        giveResults: (...results) => {
          const provided = inOrderOfCompletion(calls, results).map(([{ id, name = '' }, output]) => {
            return { functionResponse: { ...(id !== undefined && { id }), name, response: { output } } }
          })
          return turn([...contents, { role: 'model', parts }, { role: 'user', parts: provided }])
        },
      }
    }
    return turn([{ role: 'user', parts: [...requested(ask)] }])
  }
}

function configOf({ withTool, wants }: Ask): GenerateContentConfig {
  const functionDeclarations = [{ ...tool, parametersJsonSchema: parameters }]
  return {
    systemInstruction: system,
    ...(withTool && { tools: [{ functionDeclarations }] }),
    ...(wants === 'reasoning' && { thinkingConfig: { includeThoughts: true, thinkingBudget } }),
    ...(wants === 'schema' && { responseMimeType: 'application/json', responseJsonSchema: responseSchema }),
  }
}

function requested({ wants }: Ask): readonly Part[] {
  if (wants !== 'image') return [{ text: question }]
  return [{ text: question }, { inlineData: { mimeType: image.mediaType, data: image.base64 } }]
}

function textsIn(parts: readonly Part[], reasoning: boolean): string {
  return parts.map(({ text = '', thought }) => ((thought === true) === reasoning ? text : '')).join('')
}
