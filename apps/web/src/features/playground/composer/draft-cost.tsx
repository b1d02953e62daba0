import { useQueries } from '@tanstack/react-query'
import { calls, maxCountedText } from '@tollgate/api'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { formatInteger } from '../../../lib/format/format.ts'
import type { SentMessage } from '../chat/thread.ts'
import type { Target } from '../settings.ts'

/** Pause in typing after which what is written is counted. */
const typingMs = 700

interface DraftCostProps {
  /** Messages for the first model, the draft included. */
  readonly messages: readonly SentMessage[]
  readonly targets: readonly Target[]
}

/** Says how many tokens a draft with what goes before it has, and what the input costs in all columns; nothing while that is unknown. */
export function DraftCost({ messages, targets }: DraftCostProps): ReactNode {
  const { t } = useTranslation('playground')
  const text = useSettled(messages.map(textOf).join('\n'))
  const groups = [...new Set(targets.map(({ group }) => group))]
  const costs = useQueries({
    queries: groups.map((group) => ({
      queryKey: ['playground', 'draft-cost', group, text],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        request(calls.pricing.job, { body: { group, text }, signal }),
      enabled: text !== '' && text.length <= maxCountedText,
      // A draft stays in no cache for longer than it is on screen.
      gcTime: 0,
      retry: false,
    })),
  })
  const found = targets.map(({ group, model }) =>
    costs[groups.indexOf(group)]?.data?.find(({ model_name: name }) => name === model),
  )
  const [first] = found
  if (first === undefined || found.includes(undefined)) return null
  return (
    <span className="figures">
      {t('draft.tokens', { tokens: formatInteger(first.input_tokens) })} ·{' '}
      <Money quota={found.reduce((sum, cost) => sum + (cost?.quota ?? 0), 0)} exact single />{' '}
      {t('draft.before')}
    </span>
  )
}

function textOf({ content }: SentMessage): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
