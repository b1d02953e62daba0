import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { KeyValue } from '../../components/ui/card.tsx'
import { CodeBlock, CopyText } from '../../components/ui/copy.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useUser } from '../../lib/session/session.ts'
import { ActionTag } from './action-tag.tsx'
import { ChannelName, MomentCell, ProgressCell, SpentCell, StatusCell } from './cells.tsx'
import { type Job, promptOf, timeUnitMs, upstreamIdOf } from './job.ts'
import { mediaOf } from './media.ts'
import { MediaView } from './media-view.tsx'
import { buttonOrder, buttonsOf, type Order, sameOrder, submitOrder } from './orders.ts'

export interface JobSheetProps {
  readonly title: string
  /** `null` when the address names none that can be seen. */
  readonly job: Job | null
  readonly admin: boolean
  readonly onClose: () => void
  /** Another job was submitted from this one. */
  readonly onSubmitted: (id: string) => void
}

/** One job: what came of it, what was ordered, and what can be done next. */
export function JobSheet({ title, job, admin, onClose, onSubmitted }: JobSheetProps): ReactNode {
  const { t } = useTranslation('tasks')
  const submit = useMutation({ mutationFn: submitOrder, onSuccess: onSubmitted })
  if (job === null)
    return (
      <Sheet open onClose={onClose} title={title}>
        <Notice tone="warn">{t('details.missing')}</Notice>
      </Sheet>
    )
  return (
    <Sheet open onClose={onClose} size="lg" title={title} description={upstreamIdOf(job)}>
      <div className="flex flex-col gap-5">
        <Outcome job={job} />
        {submit.error && <Notice tone="bad">{submit.error.message}</Notice>}
        <NextSteps job={job} pending={submit.isPending} onOrder={(order) => submit.mutate(order)} />
        <JobFacts job={job} admin={admin} />
        <CodeBlock code={JSON.stringify(job, null, 2)} label={t('details.copy')} />
      </div>
    </Sheet>
  )
}

/** Shows the media, the progress of the job, or the reason of its failure. */
function Outcome({ job }: { readonly job: Job }) {
  const media = mediaOf(job)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <StatusCell status={job.status} />
        <ActionTag job={job} />
        {job.status !== 'SUCCESS' && (
          <ProgressCell progress={job.progress} failed={job.status === 'FAILURE'} />
        )}
      </div>
      {job.fail_reason !== '' && (
        <Notice tone="bad">
          <span className="whitespace-pre-wrap break-words">{job.fail_reason}</span>
        </Notice>
      )}
      {media.length > 0 && <MediaView media={media} prompt={promptOf(job)} />}
    </>
  )
}

interface NextStepsProps {
  readonly job: Job
  readonly pending: boolean
  readonly onOrder: (order: Order) => void
}

/** The buttons of the upstream, and the same order again; the person who presses pays for it. */
function NextSteps({ job, pending, onOrder }: NextStepsProps) {
  const { t } = useTranslation('tasks')
  // A drawing goes on from one of one's own alone.
  const buttons = useUser()?.id === job.user_id ? buttonsOf(job) : []
  const again = sameOrder(job)
  if (buttons.length === 0 && again === undefined) return null
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap gap-1.5">
        {again !== undefined && (
          <Button icon={RotateCw} loading={pending} onClick={() => onOrder(again)}>
            {t(job.status === 'FAILURE' ? 'order.retry' : 'order.again')}
          </Button>
        )}
        {buttons.map((button) => (
          <Button key={button.customId} disabled={pending} onClick={() => onOrder(buttonOrder(job, button))}>
            {button.label}
          </Button>
        ))}
      </div>
      <p className="text-muted text-xs">{t('order.hint')}</p>
    </div>
  )
}

function JobFacts({ job, admin }: { readonly job: Job; readonly admin: boolean }) {
  const { t } = useTranslation('tasks')
  const unit = timeUnitMs(job)
  const prompt = promptOf(job)
  const english = 'prompt_en' in job && job.prompt_en !== prompt ? job.prompt_en : ''
  return (
    <KeyValue
      items={[
        prompt !== '' && { label: t('column.prompt'), value: <CopyText value={prompt} mono={false} /> },
        english !== '' && { label: t('column.promptEn'), value: <CopyText value={english} mono={false} /> },
        { label: t('column.cost'), value: <Money quota={job.quota} exact /> },
        admin && {
          label: t('column.user'),
          value: (
            <Link
              to="/user/edit/$id"
              params={{ id: String(job.user_id) }}
              className="text-accent-text hover:underline"
            >
              {job.username || `#${job.user_id}`}
            </Link>
          ),
        },
        admin &&
          job.channel_id > 0 && {
            label: t('column.channel'),
            value: (
              <Link
                to="/channel/edit/$id"
                params={{ id: String(job.channel_id) }}
                className="text-accent-text hover:underline"
              >
                <ChannelName id={job.channel_id} />
              </Link>
            ),
          },
        { label: t('column.submitted'), value: <MomentCell at={job.submit_time * unit} /> },
        { label: t('column.finished'), value: <MomentCell at={job.finish_time * unit} /> },
        {
          label: t('column.spent'),
          value: <SpentCell submitted={job.submit_time * unit} finished={job.finish_time * unit} />,
        },
      ]}
    />
  )
}
