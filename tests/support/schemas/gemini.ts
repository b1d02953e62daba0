import { z } from 'zod'

/**
 * Responses of generateContent: the facts of the discovery document of generativelanguage v1beta, as of @google/genai 3.1.0
 * (November 2026). It requires nothing and knows no other fields; what is required here is what its clients read.
 * https://generativelanguage.googleapis.com/$discovery/rest?version=v1beta
 */
const count = z.int().min(0)
const finishReason = z.enum([
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'IMAGE_SAFETY',
  'UNEXPECTED_TOOL_CALL',
  'NO_IMAGE',
])

const part = z
  .strictObject({
    text: z.string().exactOptional(),
    thought: z.boolean().exactOptional(),
    thoughtSignature: z.string().exactOptional(),
    inlineData: z.strictObject({ mimeType: z.string(), data: z.string() }).exactOptional(),
    fileData: z.strictObject({ mimeType: z.string().exactOptional(), fileUri: z.string() }).exactOptional(),
    functionCall: z
      .strictObject({
        id: z.string().exactOptional(),
        name: z.string(),
        args: z.record(z.string(), z.unknown()),
      })
      .exactOptional(),
  })
  .refine(
    ({ text, inlineData, fileData, functionCall }) =>
      [text, inlineData, fileData, functionCall].filter((data) => data !== undefined).length === 1,
    'a part holds one kind of data',
  )

const details = z.array(
  z.strictObject({
    modality: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT']),
    tokenCount: count,
  }),
)
const usage = z.strictObject({
  promptTokenCount: count,
  candidatesTokenCount: count,
  totalTokenCount: count,
  thoughtsTokenCount: count.exactOptional(),
  cachedContentTokenCount: count.exactOptional(),
  promptTokensDetails: details.exactOptional(),
  candidatesTokensDetails: details.exactOptional(),
})

const weighed = z.strictObject({ token: z.string(), logProbability: z.number() })
const stated = {
  index: count,
  content: z.strictObject({ role: z.literal('model'), parts: z.array(part) }),
  logprobsResult: z
    .strictObject({
      topCandidates: z.array(z.strictObject({ candidates: z.array(weighed) })),
      chosenCandidates: z.array(weighed),
    })
    .exactOptional(),
}
const ended = {
  finishMessage: z.string().exactOptional(),
  groundingMetadata: z
    .strictObject({
      groundingChunks: z.array(
        z.strictObject({ web: z.strictObject({ uri: z.string(), title: z.string() }) }),
      ),
      groundingSupports: z
        .array(
          z.strictObject({
            segment: z.strictObject({ text: z.string() }),
            groundingChunkIndices: z.array(count),
          }),
        )
        .exactOptional(),
    })
    .exactOptional(),
}
const head = { modelVersion: z.string(), responseId: z.string().min(1) }

export const response = z.strictObject({
  ...head,
  candidates: z.array(z.strictObject({ ...stated, ...ended, finishReason })),
  usageMetadata: usage.exactOptional(),
})

export const chunk = z.strictObject({
  ...head,
  candidates: z.array(z.strictObject({ ...stated, ...ended, finishReason: finishReason.exactOptional() })),
  usageMetadata: usage.exactOptional(),
})

/** The event that ends a stream which failed. */
export const failure = z.strictObject({
  error: z.strictObject({
    code: z.int(),
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ '@type': z.string() })).exactOptional(),
  }),
})
