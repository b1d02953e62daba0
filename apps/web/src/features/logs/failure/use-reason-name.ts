import { useTranslation } from 'react-i18next'
import { reasonNames } from './failure-reasons.ts'

/** The name of a reason in a few words; the code itself where it is not the gateway's own. */
export function useReasonName(): (reason: string) => string {
  const { t } = useTranslation('logs')
  return (reason) => {
    const known = reasonNames.find((name) => name === reason)
    return known ? t(`reason.${known}`) : reason || t('reason.unknown')
  }
}
