//! A worker process for the JavaScript of tools, as process isolation starts it.

fn main() -> std::io::Result<()> {
    aileron_sandbox::worker::run()
}
