import { useQuery } from '@tanstack/react-query'
import { ListChecks, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { StepList } from '../../components/ui/step-list.tsx'
import { useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { useCommands } from '../../lib/commands.ts'
import { anyChannelQuery, anyPriceQuery, overviewQuery, summaryQuery } from './api.ts'

interface Step {
  readonly name: 'channel' | 'price' | 'key' | 'call'
  readonly to: '/channel/add' | '/models' | '/token/add' | '/playground'
  readonly done: boolean
}

/**
 * The steps to the first call: `undefined` until they are known, empty once a call was made.
 * @param admin the steps of a gateway, which end when anybody calls
 */
export function useFirstSteps(admin: boolean, seesAll: boolean): readonly Step[] | undefined {
  const { data: self } = useQuery(overviewQuery)
  const { data: summary } = useQuery({ ...summaryQuery(seesAll), enabled: seesAll })
  // After a first call the steps are done, even if its key or channel was deleted since.
  const hasCalled = (self?.request_count ?? 0) > 0 || (summary?.week.count ?? 0) > 0
  const asks = admin && self !== undefined && !hasCalled
  const channel = useQuery({ ...anyChannelQuery, enabled: asks })
  const price = useQuery({ ...anyPriceQuery, enabled: asks })
  if (hasCalled) return []
  if (self === undefined || (seesAll && summary === undefined)) return undefined
  if (admin && (channel.data === undefined || price.data === undefined)) return undefined
  const gateway: readonly Step[] = [
    { name: 'channel', to: '/channel/add', done: channel.data === true },
    { name: 'price', to: '/models', done: price.data === true },
  ]
  return [
    ...(admin ? gateway : []),
    { name: 'key', to: '/token/add', done: self.keys.total > 0 },
    { name: 'call', to: '/playground', done: hasCalled },
  ]
}

/** The first steps, with those that are done ticked off. Hidden ones come back by the palette, where they were left. */
export function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  const { t } = useTranslation('dashboard')
  const isHidden = useLocal('first-steps-hidden') !== null
  const show = { id: 'first-steps', title: t('steps.show'), group: t('title'), icon: ListChecks }
  useCommands(isHidden ? [{ ...show, run: () => writeLocal('first-steps-hidden', null) }] : [])
  if (isHidden) return null
  return (
    <Card
      title={t('steps.title')}
      description={t('steps.description')}
      action={
        <IconButton
          size="sm"
          icon={X}
          label={t('steps.hide')}
          onClick={() => writeLocal('first-steps-hidden', 'true')}
        />
      }
    >
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
