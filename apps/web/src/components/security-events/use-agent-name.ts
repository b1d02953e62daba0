import { useTranslation } from 'react-i18next'
import { readUserAgent } from './user-agent.ts'

/** "Firefox on Windows", of what a browser calls itself. */
export function useAgentName(): (userAgent: string) => string {
  const { t } = useTranslation()
  return (userAgent) => {
    const { browser, system } = readUserAgent(userAgent)
    if (browser && system) return t('agent.named', { browser, system })
    return browser ?? system ?? t('agent.unknown')
  }
}
