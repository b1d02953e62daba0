import { type ReactNode, Suspense, useState } from 'react'
import { useStatus } from '../../lib/api/status.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'

const HumanCheckWidget = lazyComponent(() => import('./human-check-widget.tsx'), 'HumanCheckWidget')

export interface HumanCheck {
  /** False while the site requires the check and it is not solved yet. */
  readonly passed: boolean
  /** Response to send as `turnstile`; empty where the site has no such check. */
  readonly response: string
  /** Each token is valid once: requests the next one. */
  readonly renew: () => void
  /** Widget to draw above the button. */
  readonly widget: ReactNode
}

/** The check that a person is there, while the site has it switched on. */
export function useHumanCheck(): HumanCheck {
  const status = useStatus()
  const [response, setResponse] = useState('')
  const [round, setRound] = useState(0)
  const isRequired = status?.turnstile_check === true
  return {
    passed: !isRequired || response !== '',
    response,
    renew() {
      setResponse('')
      setRound((last) => last + 1)
    },
    widget: isRequired && (
      <Suspense fallback={<div className="min-h-[65px]" />}>
        <HumanCheckWidget key={round} siteKey={status.turnstile_site_key} onResponse={setResponse} />
      </Suspense>
    ),
  }
}
