import type { PricingRow } from '@tollgate/api'

/** Model for examples while no model can be called: a name that everybody knows. */
export const knownModel = 'gpt-4o-mini'

type Candidate = Pick<
  PricingRow,
  'model_name' | 'available' | 'quota_type' | 'model_ratio' | 'context_size' | 'max_output_tokens'
>

/** Names of models that do not support chat. */
const notForChat =
  /embed|bge-|whisper|tts|audio|realtime|transcribe|dall-e|image|imagen|flux|stable-|sora|veo|video|rerank|moderation|suno|^mj_|instruct$|^(text-)?(davinci|babbage|curie|ada)/i

const byTokens = 0

/**
 * A chat model with a price by tokens that the visitor can call now. Prefers models that are published in the table of
 * models, then the cheapest, so that a first try costs little.
 */
export function sampleModel(rows: readonly Candidate[]): string | undefined {
  const talking = rows.filter(
    ({ available, quota_type, model_name }) =>
      available && quota_type === byTokens && !notForChat.test(model_name),
  )
  const isPublished = ({ context_size, max_output_tokens }: Candidate) =>
    context_size !== undefined && max_output_tokens !== undefined
  const [first] = talking.toSorted(
    (a, b) =>
      Number(isPublished(b)) - Number(isPublished(a)) ||
      a.model_ratio - b.model_ratio ||
      a.model_name.localeCompare(b.model_name),
  )
  return first?.model_name
}
