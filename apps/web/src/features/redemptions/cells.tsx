import type { WireRedemption } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { CardFoot, FullSecret, SecretCell } from '../../components/list/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { StatusDot } from '../../components/ui/tag.tsx'
import { maskedCode, stateOf, toneOf } from './code-state.ts'

interface CellProps {
  readonly code: WireRedemption
}

export function StatusCell({ code }: CellProps) {
  const { t } = useTranslation('redemptions')
  const state = stateOf(code)
  return <StatusDot tone={toneOf(state)}>{t(`state.${state}`)}</StatusDot>
}

export function CodeCell({ code }: CellProps) {
  const { t } = useTranslation('redemptions')
  const { name, key } = code
  return (
    <SecretCell
      masked={maskedCode(code)}
      label={t('code.of', { name })}
      revealLabel={t('code.reveal', { name })}
      copyLabel={t('code.copyOf', { name })}
      copied={key}
    >
      <FullSecret secret={key} copyLabel={t('code.copy')} />
    </SecretCell>
  )
}

/** Shows who redeemed it and when. */
export function RedeemedCell({ code }: CellProps) {
  const { t } = useTranslation('redemptions')
  if (code.used_user_id === 0) return <span className="text-muted">{t('redeemed.nobody')}</span>
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap">
      <span className="max-w-40 truncate" title={code.used_username}>
        {code.used_username || t('redeemed.user', { id: code.used_user_id })}
      </span>
      {code.redeemed_time > 0 && (
        <RelativeTime at={code.redeemed_time} className="figures text-muted text-xs" />
      )}
    </span>
  )
}

/** Shows on a phone, beside the buttons, its value, who has redeemed it, and the code to copy. */
export function CardFacts({ code }: CellProps) {
  const { t } = useTranslation('redemptions')
  return (
    <CardFoot
      facts={
        <>
          <Money quota={code.quota} single className="font-medium" /> · <RedeemedCell code={code} />
        </>
      }
      secret={maskedCode(code)}
      copy={{ value: code.key, label: t('code.copyOf', { name: code.name }) }}
    />
  )
}
