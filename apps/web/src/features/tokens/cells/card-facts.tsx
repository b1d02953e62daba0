import type { Token } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { CardFoot } from '../../../components/list/index.ts'
import { formatQuota } from '../../../lib/format.ts'
import { useMoneyDisplay } from '../../../lib/status.ts'
import { fullKey } from '../api.ts'
import { maskedKey } from '../keys.ts'

/** On a phone, beside the buttons: what is left and spent, and the key to be copied. */
export function CardFacts({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  const display = useMoneyDisplay()
  const left = token.unlimited_quota
    ? t('quota.unlimited')
    : t('card.left', { amount: formatQuota(token.remain_quota, display) })
  return (
    <CardFoot
      facts={`${left} · ${t('card.used', { amount: formatQuota(token.used_quota, display) })}`}
      secret={maskedKey(token)}
      copy={{ value: () => fullKey(token), label: t('key.copyOf', { name: token.name }) }}
    />
  )
}
