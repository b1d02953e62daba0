import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { ActionTag } from './action-tag.tsx'
import { ProgressCell, StatusCell } from './cells.tsx'
import { type Job, promptOf, timeUnitMs } from './job.ts'
import { thumbnailOf } from './media.ts'
import { Thumbnail } from './media-view.tsx'

/** A job as a tile: its picture, or how far it is, with prompt, price and who ordered it. */
export function JobTile({ job }: { readonly job: Job }) {
  const { t } = useTranslation('tasks')
  const failed = job.status === 'FAILURE'
  return (
    <>
      <span className="relative block aspect-[4/3] w-full bg-sunken">
        {thumbnailOf(job) === '' ? (
          <TileState job={job} />
        ) : (
          <Thumbnail url={thumbnailOf(job)} className="size-full rounded-none!" />
        )}
        <span className="absolute top-2 left-2 rounded-sm bg-surface">
          <ActionTag job={job} />
        </span>
      </span>
      <span className="flex w-full flex-col gap-1 p-2.5">
        <span className="line-clamp-2 min-h-10 break-words text-sm">
          {promptOf(job) || <span className="text-muted">{t('tile.noPrompt')}</span>}
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-2 text-muted text-xs">
          <span className="max-w-full truncate">
            {job.username !== '' && `${job.username} · `}
            <RelativeTime at={Math.floor((job.submit_time * timeUnitMs(job)) / 1000)} />
          </span>
          {!failed && <Money quota={job.quota} single />}
        </span>
      </span>
    </>
  )
}

/** Shows the state of a job in place of a picture that is not there yet, or never will be. */
function TileState({ job }: { readonly job: Job }) {
  return (
    <span className="grid size-full place-items-center p-3 pt-8 text-center">
      <span className="flex flex-col items-center gap-1.5">
        <StatusCell status={job.status} />
        {job.fail_reason !== '' ? (
          <span className="line-clamp-3 break-words text-bad text-xs">{job.fail_reason}</span>
        ) : (
          job.status !== 'SUCCESS' && <ProgressCell progress={job.progress} failed={false} />
        )}
      </span>
    </span>
  )
}
