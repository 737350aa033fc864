import { useMemo, type ReactNode } from 'react';
import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { useAgUiRuntime } from '@assistant-ui/react-ag-ui';
import { HttpAgent } from '@ag-ui/client';

export function Jarvis({ url, token, children }: { url: string; token: string; children: ReactNode }) {
  const agent = useMemo(
    () => new HttpAgent({ url: `${url}/agui`, headers: { Authorization: `Bearer ${token}` } }),
    [url, token],
  );
  const runtime = useAgUiRuntime({ agent });
  return <AssistantRuntimeProvider runtime={runtime}>{children}</AssistantRuntimeProvider>;
}
