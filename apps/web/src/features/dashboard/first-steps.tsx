import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { StepList } from '../../components/ui/step-list.tsx'
import { anyPriceQuery, channelsQuery, overviewQuery } from './api.ts'

interface Step {
  readonly name: 'channel' | 'price' | 'key' | 'call'
  readonly to: '/channel/add' | '/models' | '/token/add' | '/playground'
  readonly done: boolean
}

/** The steps to the first call: `undefined` until they are known, empty once a call was made. */
export function useFirstSteps(admin: boolean): readonly Step[] | undefined {
  const { data: self } = useQuery(overviewQuery)
  // After a first call the steps are done, even if its key or channel was deleted since.
  const hasCalled = self !== undefined && self.request_count > 0
  const asks = admin && self !== undefined && !hasCalled
  const channels = useQuery({ ...channelsQuery, enabled: admin })
  const price = useQuery({ ...anyPriceQuery, enabled: asks })
  if (self === undefined) return undefined
  if (hasCalled) return []
  if (admin && (channels.data === undefined || price.data === undefined)) return undefined
  const gateway: readonly Step[] = [
    { name: 'channel', to: '/channel/add', done: (channels.data?.total ?? 0) > 0 },
    { name: 'price', to: '/models', done: price.data === true },
  ]
  return [
    ...(admin ? gateway : []),
    { name: 'key', to: '/token/add', done: self.keys.total > 0 },
    { name: 'call', to: '/playground', done: hasCalled },
  ]
}

/** The first steps, with those that are done ticked off. */
export function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={t('steps.title')} description={t('steps.description')}>
      <StepList
        className="sm:auto-cols-fr sm:grid-flow-col"
        doneLabel={t('steps.done')}
        steps={steps.map(({ name, ...step }) => ({
          ...step,
          title: t(`steps.${name}.title`),
          hint: t(`steps.${name}.hint`),
        }))}
      />
    </Card>
  )
}
