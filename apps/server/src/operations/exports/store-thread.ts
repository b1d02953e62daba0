import { serveThread } from '../../store/engine/open/serve-thread.ts'

serveThread(async (store) => (await import('./exports.ts')).exportStreams(store))
