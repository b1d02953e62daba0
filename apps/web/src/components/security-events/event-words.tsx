import { type SecurityEventKind, type SecurityEventRow, securityEventKinds } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'

const alarming: ReadonlySet<SecurityEventKind> = new Set(['login-failed', 'second-factor-failed'])
/** The others are names of providers. */
const methods = ['password', 'passkey', 'address'] as const

/** `undefined` for a word that a newer program wrote, or one in an edited address. */
export function knownEventKind(kind: string | undefined): SecurityEventKind | undefined {
  return securityEventKinds.find((known) => known === kind)
}

/** Shows the name of an event; a failure stands out. */
export function EventName({ event }: { readonly event: Pick<SecurityEventRow, 'kind'> }) {
  const { t } = useTranslation('securityEvents')
  const kind = knownEventKind(event.kind)
  if (kind === undefined) return <span className="font-mono text-xs">{event.kind}</span>
  return <span className={cx(alarming.has(kind) && 'text-bad')}>{t(`kind.${kind}`)}</span>
}

/** Returns a function that names the means of an event or its administrator; empty where the kind says it all. */
export function useEventDetail(): (event: Pick<SecurityEventRow, 'kind' | 'detail'>) => string {
  const { t } = useTranslation('securityEvents')
  return ({ kind, detail }) => {
    if (detail === '') return ''
    if (kind !== 'login' && kind !== 'login-failed') return t('by', { name: detail })
    const method = methods.find((known) => known === detail)
    return method ? t(`method.${method}`) : detail
  }
}
