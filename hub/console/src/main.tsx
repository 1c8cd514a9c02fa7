// Starts the console: styles, theme, query client and router, in this order.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import 'virtual:theme-variables.css';
import './ui/ui.css';
import './ui/badges.css';
import './ui/tables.css';
import './app/shell.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueries } from './app/queries.ts';
import { createConsoleRouter } from './app/router.ts';
import { theme } from './app/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={createQueries()}>
        <RouterProvider router={createConsoleRouter()} />
      </QueryClientProvider>
      <Notifications position="bottom-right" />
    </MantineProvider>
  </StrictMode>,
);
