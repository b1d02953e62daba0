import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../../components/ui/card.tsx'
import { Skeleton } from '../../../../components/ui/states.tsx'
import { Tabs } from '../../../../components/ui/tabs.tsx'
import { loadTexts } from '../../../../i18n/index.ts'
import { AccessTokens } from './access-tokens.tsx'
import { Sessions } from './sessions.tsx'

/** Loaded with its texts when it is first shown. */
const Events = lazy(async () => {
  const [module] = await Promise.all([import('./events.tsx'), loadTexts('securityEvents')])
  return { default: module.Events }
})

/** Shows the credentials that open the account now, and its past events: each part is loaded when its tab is opened. */
export function AccessCard() {
  const { t } = useTranslation('personal')
  const [tab, setTab] = useState<'sessions' | 'tokens' | 'events'>('sessions')
  return (
    <Card>
      <Tabs
        aria-label={t('access.title')}
        value={tab}
        onValueChange={setTab}
        tabs={[
          { value: 'sessions', label: t('session.title'), content: <Sessions /> },
          { value: 'tokens', label: t('tokens.title'), content: <AccessTokens /> },
          {
            value: 'events',
            label: t('events.title'),
            content: (
              <Suspense fallback={<Skeleton className="h-32!" />}>
                <Events />
              </Suspense>
            ),
          },
        ]}
      />
    </Card>
  )
}
