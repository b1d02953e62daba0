import { postgresRequests } from './postgres-requests.ts'
import { serveCalls } from './worker-server.ts'

serveCalls(postgresRequests())
