import { useTranslation } from 'react-i18next'
import { Tag } from '../../components/ui/tag.tsx'
import { drawingActions, type Job, known, taskActions } from './job.ts'

/** Shows the kind of a job. An action without a text of ours has its upstream's name. */
export function ActionTag({ job }: { readonly job: Job }) {
  const { t } = useTranslation('tasks')
  const drawing = 'mj_id' in job && known(drawingActions, job.action)
  const task = !('mj_id' in job) && known(taskActions, job.action)
  return <Tag>{drawing ? t(`drawing.${drawing}`) : task ? t(`task.${task}`) : job.action}</Tag>
}
